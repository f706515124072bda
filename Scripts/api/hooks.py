"""Authenticates the requests that schemathesis generates, gives them resources that exist, and counts the answers."""
import collections
import itertools

import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoverageScenario, TestPhase

from known import PASSWORD, SIGN_INS, some_address

# Operations that check a password or code; each member may call them a few times a minute.
CHECKS = {"confirmPassword", "turnOnSecondFactor", "turnOffSecondFactor", "changePassword"}
# Operations of callers who are not signed in; each address may call them a few times a minute.
ANONYMOUS = {"signIn", "createOwner", "startOpenID", "finishOpenID"}
# Operations after which a session, its member's password or its member's second factor are not as before.
ENDS_SESSION = {"signOut", "endSession", "changePassword", "turnOnSecondFactor"}
# Resources that an operation needs in a certain state.
NEEDS = {
    ("cancelScan", "jobId"): "waitingJobId", ("uploadPhoto", "jobId"): "waitingJobId",
    ("finishScan", "jobId"): "waitingJobId", ("retryPhoto", "jobId"): "failedJobId",
}
# Resources that an operation ends, so that the next request needs another.
USES_UP = {
    "cancelScan": "waitingJobId", "uploadPhoto": "waitingJobId", "finishScan": "waitingJobId",
    "undoAutomaticChange": "changeId", "cancelImport": "importId", "startImport": "importId", "removeMember": "memberId", "revokeToken": "tokenId",
    "revokeApp": "appId",
}
ISBN = "9780141439587"
LIST = b"title,author\nDune,Frank Herbert\n"
SHELVES = b"path,code,note\nHome / Study,,by the window\n"
ABSENT = object()
# Values in place of generated ones, which JSON Schema cannot describe well enough: of query parameters and, at any depth,
# of the fields of bodies, by name.
VALUES = {
    "cursor": lambda known: "o0", "title": lambda known: "Emma", "coverUrl": lambda known: None, "isbn": lambda known: ISBN, "year": lambda known: 1815, "pages": lambda known: 300,
    "startedOn": lambda known: "2026-01-02", "finishedOn": lambda known: "2026-01-03", "rating": lambda known: 4,
    "shelf": lambda known: known.id("shelfId"), "photo": lambda known: known.id("photoId"),
    "entry": lambda known: known.id("entryId"), "reader": lambda known: "local", "threshold": lambda known: "0.5",
    "languages": lambda known: "eng", "editionId": lambda known: None,
}
# Values of query parameters of one operation.
QUERIES = {
    "listShelves": {"code": lambda known: known.code()},
    "listStocktakeCopies": {"cursor": lambda known: known.first_copies()},
}
# What the bodies of an operation have to name so that it can succeed.
BODIES = {
    "createScan": lambda known: {"photo": [known.photo], "expected": ABSENT},
    "uploadImport": lambda known: {"file": LIST},
    "addEntry": lambda known: {"title": "Emma", "loan": ABSENT},
    "importScan": lambda known: {"books": [known.id("bookId")]},
    "findIncomplete": lambda known: {"ids": [known.id("entryId")]},
    "verifyAll": lambda known: {"ids": [known.id("detectionId")]},
    "rejectAll": lambda known: {"ids": [known.id("detectionId")]},
    "dismissRows": lambda known: {"ids": []},
    "markAutomaticChangesSeen": lambda known: {"through": known.id("changeId")},
    "undo": lambda known: {"undoToken": known.undo_token(), "latest": ABSENT},
    "decideDuplicates": lambda known: {"ids": []},
    "editDetection": lambda known: {"resolvedTitle": "Emma"},
    "moveBox": lambda known: {"quad": [[0.1, 0.1], [0.15, 0.1], [0.15, 0.9], [0.1, 0.9]]},
    "editEntries": lambda known: {"ids": [known.id("entryId")]},
    "markFound": lambda known: {"ids": [known.id("entryId")]},
    "addShelf": lambda known: {"name": "Home / Study", "parent": ABSENT, "code": ABSENT},
    "editShelf": lambda known: {"parent": None, "code": ABSENT},
    "answerLabelQuestion": lambda known: {"accept": True, "name": known.name("Board")},
    "startStocktake": lambda known: {"name": "Spring", "shelves": ABSENT, "tags": ABSENT, "copies": [known.id("entryId")]},
    "seeCopies": lambda known: {"copies": [known.seen_copy()], "barcode": ABSENT, "detection": ABSENT},
    "decideAudit": lambda known: {"decisions": [{"entry": known.id("entryId"), "action": "found"}]},
    "compareShelf": lambda known: {"jobId": known.id("jobId"), "scans": ABSENT},
    "startImport": lambda known: {"mapping": {"title": "title"}},
    "sendFeedback": lambda known: {"detectionId": known.id("detectionId"), "jobId": ABSENT, "bookId": ABSENT,
                                   "correct": True},
    "startDownload": lambda known: {"languages": ["eng"]},
    "replaceCover": lambda known: {"coverUrl": f"/api/v1/covers/{known.id('coverId')}"},
    "signIn": lambda known: {"name": known.signed_in().name, "password": PASSWORD},
    "confirmPassword": lambda known: {"password": PASSWORD},
    "changePassword": lambda known: {"current": PASSWORD},
    "turnOnSecondFactor": lambda known: known.signed_in().second_factor(),
}
# What has to be true before an operation can succeed.
PREPARES = {
    "findIncomplete": lambda known: known.use_provider(True), "updateCatalog": lambda known: known.id("catalog"),
}
# Bodies that are not JSON, and not forms.
FILES = {
    "uploadPhoto": lambda known: known.photo, "previewFrame": lambda known: known.id("frame"),
    "replaceCover": lambda known: known.photo, "uploadImport": lambda known: LIST,
    "importShelves": lambda known: SHELVES,
}


class Run:
    """What the hooks share with check.py."""

    known = None
    # Whether requests name resources that exist.
    is_known = True
    # How often each operation was answered with each status.
    answers = collections.defaultdict(collections.Counter)


numbers = itertools.count(1)


def name(operation):
    return operation.definition.raw["operationId"]


def needs_session(operation):
    """Whether an operation is for browsers only, or has no effect without a session."""
    return operation.definition.raw.get("security") == [{"session": []}] or name(operation) == "signOut"


@schemathesis.auth(refresh_interval=None)
class Credentials:
    def get(self, case, context):
        if name(context.operation) in ANONYMOUS:
            return None
        if needs_session(context.operation):
            return ("session", Run.known.signed_in().cookie)
        return ("token", Run.known.token)

    def set(self, case, data, context):
        kind, secret = data
        if kind == "session":
            case.cookies["shelflist_session"] = secret
        else:
            case.headers["Authorization"] = f"Bearer {secret}"


@schemathesis.hook
def filter_case(context, case):
    """Drops requests that are valid, although they were made to be invalid: a header that the document does not name is
    ignored, and any text is a list."""
    if (name(case.operation) == "uploadImport" and case.media_type != "multipart/form-data" and case.meta
            and case.meta.is_negative_at(ParameterLocation.BODY)):
        return False
    data = case.meta and case.meta.phase.data
    return not (getattr(data, "scenario", None) == CoverageScenario.OBJECT_UNEXPECTED_PROPERTIES
                and data.parameter_location == ParameterLocation.HEADER)


def is_valid(case, location):
    return case.meta is not None and not case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context, case, kwargs):
    operation, known = name(case.operation), Run.known
    if case._has_explicit_auth and needs_session(case.operation):
        # The session may have ended since the request was generated.
        case.cookies["shelflist_session"] = known.signed_in().cookie
    if operation in CHECKS:
        known.member.checks += 1
    if operation in ANONYMOUS | CHECKS:
        # Schemathesis repeats a request that succeeded without the session.
        case.headers["X-Forwarded-For"] = some_address(next(numbers))
    # Schemathesis uses identifiers that it has seen in answers.
    for parameter, own in known.own.items():
        if case.path_parameters.get(parameter) == own:
            case.path_parameters[parameter] = known.id(parameter)
    # Without the password, every answer would be 401.
    if (Run.is_known or operation in CHECKS) and case.method.upper() == case.operation.method.upper():
        make_known(operation, case, known)


def make_known(operation, case, known):
    """Gives a request what it needs to succeed, unless it is one that has to fail."""
    if operation in PREPARES:
        PREPARES[operation](known)
    if is_valid(case, ParameterLocation.PATH):
        for parameter in case.path_parameters:
            case.path_parameters[parameter] = known_parameter(operation, parameter, case)
    if is_valid(case, ParameterLocation.QUERY):
        case.query.update(plausible(known, case.query))
        case.query.update({field: value(known) for field, value in QUERIES.get(operation, {}).items() if field in case.query})
    is_fuzzed = case.meta is not None and case.meta.phase.name is TestPhase.FUZZING
    if takes(case, "If-Match") and (is_fuzzed or "If-Match" in case.headers) and is_valid(case, ParameterLocation.HEADER):
        case.headers["If-Match"] = "*"
    if is_valid(case, ParameterLocation.BODY):
        case.body = known_body(known, operation, case.body)
    # Otherwise schemathesis compares the request with its schema again, which it cannot for bytes, and takes it for one
    # that has to fail.
    case.freeze_metadata()
    case._sync_validated_hashes()
    case.meta._dirty.clear()


def takes(case, header):
    return any(parameter.name == header for parameter in case.operation.headers)


def plausible(known, value):
    """Returns a value with those of VALUES."""
    if isinstance(value, list):
        return [plausible(known, item) for item in value]
    if not isinstance(value, dict):
        return value
    return {field: VALUES[field](known) if field in VALUES and inner is not None else plausible(known, inner)
            for field, inner in value.items()}


def known_body(known, operation, body):
    if not isinstance(body, dict):
        return FILES[operation](known) if operation in FILES and body is not NOT_SET else body
    body = plausible(known, body)
    if operation in BODIES:
        body |= BODIES[operation](known)
    return {field: value for field, value in body.items() if value is not ABSENT}


def known_parameter(operation, parameter, case):
    if parameter == "n":
        return case.path_parameters["n"] if operation == "uploadPhoto" else 1
    if parameter == "sessionId":
        return Run.known.signed_in().session_id()
    return Run.known.id(NEEDS.get((operation, parameter), parameter))


@schemathesis.hook
def after_call(context, case, response):
    operation = name(case.operation)
    if case.method.upper() != case.operation.method.upper():
        return
    Run.answers[operation][response.status_code] += 1
    if not 200 <= response.status_code < 300:
        return
    if operation in ENDS_SESSION:
        Run.known.member.is_signed_in = False
    if operation in USES_UP:
        Run.known.use_up(USES_UP[operation])
    if case.method.upper() != "GET":
        Run.known.note_change()
        put_back(operation, case, response)


def put_back(operation, case, response):
    """Undoes a change, so that what it changed is there for the next request."""
    if "json" not in response.headers.get("content-type", [""])[0]:
        return
    answer = response.json()
    if operation in ("createScan", "uploadPhoto", "finishScan"):
        Run.known.cancel(answer.get("jobId") or case.path_parameters["jobId"])
    if token := answer.get("undoToken"):
        Run.known.call("POST", "/undo", json={"undoToken": token})
    if operation in ("changeSettings", "findIncomplete"):
        Run.known.use_provider(False)
    # A member may have 100 of each.
    if operation == "createToken":
        Run.known.call("DELETE", f"/tokens/{answer['token']['id']}")
    if operation == "connectApp":
        Run.known.call("DELETE", f"/apps/{answer['app']['id']}")
