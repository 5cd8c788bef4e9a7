"""Says what the descriptions have against answers of the gateway, or against themselves, until its input ends.

Prints {"objections": […]} for each line of its input, which is an answer,
{"method": …, "path": …, "status": …, "headers": [[name, value], …], "body": base64}, or {"descriptions": true}.
An objection to the first line, which it prints unasked, is why it can judge nothing.
"""

import base64
import json
import sys
import traceback


def report(objections):
    sys.stdout.write(json.dumps({"objections": objections}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def judge(answers, line):
    question = json.loads(line)
    if question.get("descriptions"):
        # Imported where it is asked: most processes judge answers alone.
        import description_check

        return list(description_check.objections())
    return answers.objections(
        question["method"],
        question["path"],
        question["status"],
        question["headers"],
        base64.b64decode(question["body"]),
    )


def main():
    try:
        from description import Answers, load

        answers = Answers(load("openapi.yaml"))
    except Exception:
        report([traceback.format_exc()])
        return
    report([])
    for line in sys.stdin:
        try:
            report(judge(answers, line))
        except Exception:
            report([traceback.format_exc()])


if __name__ == "__main__":
    main()
