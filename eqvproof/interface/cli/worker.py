"""The process that checks claims: reads a request, and writes a line of JSON for each result.

The user's code runs only here, so that the waiting process can end it. Its output goes to the error
stream; the results have a separate stream, with a mark before each, since the user's code may write
to it too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from eqvproof.support.errors import EqvproofError, TargetError, error_text, place_of
from eqvproof.support.forked_work import end_with_parent


def main() -> int:
    """Checks the claims of the request, starting with the one numbered `from`."""
    end_with_parent()
    request: dict[str, Any] = json.load(sys.stdin)
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    process, pipe = os.getpid(), os.fstat(stream.fileno())

    def tell(**answer: Any) -> None:
        if os.getpid() != process:  # a process forked by the target
            os._exit(0)
        # if the target has closed the stream, its descriptor may belong to another file
        if not _is_still(stream.fileno(), pipe):
            os._exit(1)
        stream.write(f"{request['mark']}{json.dumps(answer)}\n")
        stream.flush()

    try:
        _check_all(request, tell)
    except EqvproofError as error:
        tell(error=error.paragraph())
    except (SystemExit, KeyboardInterrupt) as error:
        tell(error=_exit(request, error).paragraph())
    except Exception as error:
        if os.environ.get("EQVPROOF_TRACEBACK"):
            raise
        tell(defect=error_text(error))
    with contextlib.suppress(OSError):
        stream.close()
    return 0


def _is_still(descriptor: int, file: os.stat_result) -> bool:
    """Checks whether a descriptor is open and refers to this file."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), file)
    return False


def _check_all(request: dict[str, Any], tell: Callable[..., None]) -> None:
    from eqvproof.api import check
    from eqvproof.engines.options import DEFAULTS
    from eqvproof.engines.verdict.screen import explanation_screen, verdict_screen
    from eqvproof.interface.cli.claims import claims_of_request

    claims = claims_of_request(request)
    tell(claims=[[c.name, str(c.signature), str(c.under)] for c in claims])
    screen: Callable[..., Any] = verdict_screen
    if request["explain"]:
        screen = explanation_screen
    for claim in claims[request["from"] :]:
        tell(begins=claim.options.get("budget", DEFAULTS["budget"]))
        verdict = check(claim.function, claim.signature, claim.under, **claim.options)
        items = [dataclasses.asdict(item) for item in screen(verdict)]
        tell(**verdict.to_json(), certificate=verdict.certificate, screen=items)


def _exit(request: dict[str, Any], error: SystemExit | KeyboardInterrupt) -> TargetError:
    how = "sys.exit" if isinstance(error, SystemExit) else "KeyboardInterrupt"
    return TargetError(
        f"the target ended the program ({how})",
        given=place_of(error) or request["target"],
        expected="a function that returns an array",
        hint="let the function raise an error instead",
        code="target.exit",
    )


if __name__ == "__main__":
    sys.exit(main())
