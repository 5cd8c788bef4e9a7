"""Reads {"schema": …, "documents": […]} and answers, for each document, the schema's first objection or null."""
import json
import sys

import jsonschema

job = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(job["schema"])
validator = jsonschema.Draft202012Validator(job["schema"])
answers = []
for document in job["documents"]:
    error = next(validator.iter_errors(document), None)
    answers.append(None if error is None else f"{error.json_path}: {error.message[:200]}")
json.dump(answers, sys.stdout)
