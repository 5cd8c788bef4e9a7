"""What dkimpy makes of our signatures.

    dkim_judge.py FILE     objections to the mails in FILE, one JSON document a line; nothing if there are none

Each has `mail` in base64, `record` of the domain's key, `name` under which it must be asked for, and `isGood`, whether it must verify.
The form of what our own MIME code wrote is looked at besides: Python's parser must find no defect.
"""

import base64
import email
import email.policy
import json
import sys

import dkim


def judge(case):
    mail = base64.b64decode(case["mail"])
    asked = []

    def answer(name, timeout=5):
        name = name.decode() if isinstance(name, bytes) else name
        asked.append(name.rstrip("."))
        return case["record"].encode()

    judge = dkim.DKIM(mail)
    try:
        verified = judge.verify(dnsfunc=answer)
    except dkim.DKIMException as error:
        verified = False
        assert not case["isGood"], repr(error)
    assert verified == case["isGood"], f"verified: {verified}"
    assert set(asked) <= {case["name"]}, asked
    if case["isGood"]:
        assert asked, "the key was not asked for"
        tags = judge.signature_fields
        assert tags[b"a"] == b"rsa-sha256" and tags[b"c"] == b"relaxed/relaxed" and b"l" not in tags, tags
        message = email.message_from_bytes(mail, policy=email.policy.SMTP)
        assert not message.defects, message.defects
        assert all(len(line) <= 998 for line in mail.split(b"\r\n"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file):
            try:
                judge(json.loads(line))
            except Exception as error:
                print(f"{number}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
