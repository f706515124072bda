#include "CPostgres.h"

#include <CDynamicLibrary.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(F)                                                                                                   \
    F(PQconninfo) F(PQconninfoParse) F(PQconninfoFree) F(PQconnectdbParams) F(PQstatus) F(PQerrorMessage) F(PQsocket)                \
    F(PQserverVersion) F(PQfinish) F(PQsetnonblocking) F(PQsendPrepare) F(PQsendQueryPrepared) F(PQflush) F(PQconsumeInput) F(PQisBusy)   \
    F(PQgetResult) F(PQresultStatus) F(PQresultErrorField) F(PQntuples) F(PQnfields) F(PQgetisnull) F(PQgetvalue)      \
    F(PQgetlength) F(PQclear) F(PQnotifies) F(PQfreemem) F(PQsetNoticeProcessor)

#define MEMBER(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(MEMBER)
} pq;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __APPLE__
static const char *const names[] = {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", NULL};
#else
static const char *const names[] = {"libpq.so.5", NULL};
#endif

static void load(void) {
    void *library = shelf_library_open(names, reason, sizeof reason);
    if (library == NULL) return;
#define FIND(name)                                                                                                     \
    pq.name = (__typeof__(&name))shelf_library_find(library, "libpq", #name, reason, sizeof reason);
    FUNCTIONS(FIND)
}

const char *shelf_pq_load(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? NULL : reason;
}

static PGconn *conn(const shelf_pq_connection *connection) { return (PGconn *)connection; }
static PGresult *res(const shelf_pq_result *result) { return (PGresult *)result; }

bool shelf_pq_parse(const char *address, char **password) {
    *password = NULL;
    char *message = NULL;
    PQconninfoOption *options = pq.PQconninfoParse(address, &message);
    if (message != NULL) pq.PQfreemem(message);
    if (options == NULL) return false;
    for (PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "password") == 0 && option->val != NULL) *password = strdup(option->val);
    }
    pq.PQconninfoFree(options);
    return true;
}

// Notices of the server are not printed.
static void ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

shelf_pq_connection *shelf_pq_connect(const char *address, const char *const *defaults) {
    enum { MOST = 32 };
    const char *keywords[MOST + 2] = {NULL}, *values[MOST + 2] = {NULL};
    int count = 0;
    for (; count < MOST && defaults[2 * count] != NULL; count++) {
        keywords[count] = defaults[2 * count];
        values[count] = defaults[2 * count + 1];
    }
    // What is in the address overrides what is before it.
    keywords[count] = "dbname";
    values[count] = address;
    PGconn *connection = pq.PQconnectdbParams(keywords, values, 1);
    if (connection != NULL) {
        pq.PQsetNoticeProcessor(connection, ignore, NULL);
        if (pq.PQstatus(connection) == CONNECTION_OK) pq.PQsetnonblocking(connection, 1);
    }
    return (shelf_pq_connection *)connection;
}

bool shelf_pq_is_connected(const shelf_pq_connection *connection) {
    return pq.PQstatus(conn(connection)) == CONNECTION_OK;
}

const char *shelf_pq_connection_error(const shelf_pq_connection *connection) {
    return pq.PQerrorMessage(conn(connection));
}

char *shelf_pq_option(const shelf_pq_connection *connection, const char *keyword) {
    PQconninfoOption *options = pq.PQconninfo(conn(connection));
    if (options == NULL) return NULL;
    char *value = NULL;
    for (PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (strcmp(option->keyword, keyword) == 0 && option->val != NULL) value = strdup(option->val);
    }
    pq.PQconninfoFree(options);
    return value;
}

int shelf_pq_socket(const shelf_pq_connection *connection) { return pq.PQsocket(conn(connection)); }

int shelf_pq_server_version(const shelf_pq_connection *connection) { return pq.PQserverVersion(conn(connection)); }

void shelf_pq_close(shelf_pq_connection *connection) { pq.PQfinish(conn(connection)); }

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is ready. Returns false at the deadline and on errors.
static bool wait_for(PGconn *connection, short events, long long deadline) {
    while (true) {
        long long left = deadline - now();
        if (left <= 0) return false;
        struct pollfd descriptor = {.fd = pq.PQsocket(connection), .events = events};
        int ready = poll(&descriptor, 1, (int)left);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

// Sends what was queued and waits for the result.
static shelf_pq_status finish(PGconn *pg, long long deadline, shelf_pq_result **result) {
    while (true) {
        int left = pq.PQflush(pg);
        if (left == 0) break;
        if (left < 0 || !wait_for(pg, POLLIN | POLLOUT, deadline)) return SHELF_PQ_LOST;
        // The server may send while it receives.
        if (!pq.PQconsumeInput(pg)) return SHELF_PQ_LOST;
    }
    while (true) {
        while (pq.PQisBusy(pg)) {
            if (!wait_for(pg, POLLIN, deadline) || !pq.PQconsumeInput(pg)) goto lost;
        }
        PGresult *next = pq.PQgetResult(pg);
        if (next == NULL) break;
        if (*result != NULL) pq.PQclear(res(*result));
        *result = (shelf_pq_result *)next;
    }
    if (*result == NULL) return SHELF_PQ_LOST;
    switch (pq.PQresultStatus(res(*result))) {
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK: return SHELF_PQ_ROWS;
    default:
        if (pq.PQstatus(pg) != CONNECTION_OK) goto lost;
        return SHELF_PQ_REFUSED;
    }
lost:
    if (*result != NULL) pq.PQclear(res(*result));
    *result = NULL;
    return SHELF_PQ_LOST;
}

shelf_pq_status shelf_pq_prepare(
    shelf_pq_connection *connection, const char *name, const char *statement, int milliseconds,
    shelf_pq_result **result) {
    *result = NULL;
    if (!pq.PQsendPrepare(conn(connection), name, statement, 0, NULL)) return SHELF_PQ_LOST;
    return finish(conn(connection), now() + milliseconds, result);
}

shelf_pq_status shelf_pq_run(
    shelf_pq_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *binary, bool binary_result, int milliseconds, shelf_pq_result **result) {
    *result = NULL;
    if (!pq.PQsendQueryPrepared(conn(connection), name, count, values, lengths, binary, binary_result))
        return SHELF_PQ_LOST;
    return finish(conn(connection), now() + milliseconds, result);
}

int shelf_pq_rows(const shelf_pq_result *result) { return pq.PQntuples(res(result)); }

int shelf_pq_columns(const shelf_pq_result *result) { return pq.PQnfields(res(result)); }

const char *shelf_pq_value(const shelf_pq_result *result, int row, int column) {
    return pq.PQgetisnull(res(result), row, column) ? NULL : pq.PQgetvalue(res(result), row, column);
}

int shelf_pq_length(const shelf_pq_result *result, int row, int column) {
    return pq.PQgetlength(res(result), row, column);
}

static const char *field(const shelf_pq_result *result, int code) {
    const char *text = pq.PQresultErrorField(res(result), code);
    return text == NULL ? "" : text;
}

const char *shelf_pq_sqlstate(const shelf_pq_result *result) { return field(result, PG_DIAG_SQLSTATE); }

const char *shelf_pq_result_error(const shelf_pq_result *result) { return field(result, PG_DIAG_MESSAGE_PRIMARY); }

void shelf_pq_free(shelf_pq_result *result) { pq.PQclear(res(result)); }

bool shelf_pq_consume(shelf_pq_connection *connection) {
    return pq.PQconsumeInput(conn(connection)) && pq.PQstatus(conn(connection)) == CONNECTION_OK;
}

bool shelf_pq_notification(
    shelf_pq_connection *connection, char *channel, size_t channel_size, char *payload, size_t payload_size) {
    PGnotify *notification = pq.PQnotifies(conn(connection));
    if (notification == NULL) return false;
    strncpy(channel, notification->relname, channel_size - 1);
    channel[channel_size - 1] = 0;
    strncpy(payload, notification->extra, payload_size - 1);
    payload[payload_size - 1] = 0;
    pq.PQfreemem(notification);
    return true;
}
