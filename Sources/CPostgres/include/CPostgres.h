#ifndef SHELFLIST_POSTGRES_H
#define SHELFLIST_POSTGRES_H

#include <stdbool.h>
#include <stddef.h>

// libpq, loaded when it is first used: a program that does not use the work queue needs neither libpq nor the libraries
// for TLS, Kerberos and LDAP that it brings along.

// Loads libpq. Returns NULL, or why it cannot be loaded.
const char *shelf_pq_load(void);

typedef struct shelf_pq_connection shelf_pq_connection;
typedef struct shelf_pq_result shelf_pq_result;

// What one statement returned.
typedef enum {
    SHELF_PQ_ROWS,    // rows, or a statement that returns none
    SHELF_PQ_REFUSED, // the server refused the statement
    SHELF_PQ_LOST,    // the connection is lost or the statement took too long
} shelf_pq_status;

// Whether an address can be parsed. Stores a copy of its password, which the caller frees with `free`; NULL if it has none.
bool shelf_pq_parse(const char *address, char **password);

// Connects and waits for it. `defaults` has names and values in turn and ends with NULL; the address wins over them.
// Never returns NULL except for lack of memory; `shelf_pq_is_connected` says whether it worked.
shelf_pq_connection *shelf_pq_connect(const char *address, const char *const *defaults);
bool shelf_pq_is_connected(const shelf_pq_connection *connection);
// The message of the last failure; may have several lines.
const char *shelf_pq_connection_error(const shelf_pq_connection *connection);
// The value of an option, from the address, the environment or the service file, also where connecting failed. The caller
// frees it with `free`; NULL if the option has no value.
char *shelf_pq_option(const shelf_pq_connection *connection, const char *keyword);
int shelf_pq_socket(const shelf_pq_connection *connection);
int shelf_pq_server_version(const shelf_pq_connection *connection);
void shelf_pq_close(shelf_pq_connection *connection);

// Prepares a statement under a name and waits at most `milliseconds`. After SHELF_PQ_LOST the connection has to be closed.
shelf_pq_status shelf_pq_prepare(
    shelf_pq_connection *connection, const char *name, const char *statement, int milliseconds,
    shelf_pq_result **result);

// Runs a prepared statement as `shelf_pq_prepare` does. `binary` says which parameters are bytes; results are text, or
// bytes where `binary_result` is set.
shelf_pq_status shelf_pq_run(
    shelf_pq_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *binary, bool binary_result, int milliseconds, shelf_pq_result **result);

int shelf_pq_rows(const shelf_pq_result *result);
int shelf_pq_columns(const shelf_pq_result *result);
// NULL for SQL's NULL.
const char *shelf_pq_value(const shelf_pq_result *result, int row, int column);
int shelf_pq_length(const shelf_pq_result *result, int row, int column);
// The five characters of SQLSTATE; an empty text without one.
const char *shelf_pq_sqlstate(const shelf_pq_result *result);
// The primary message of a refused statement, without the statement and its values.
const char *shelf_pq_result_error(const shelf_pq_result *result);
void shelf_pq_free(shelf_pq_result *result);

// Reads what has arrived. Returns false where the connection is lost.
bool shelf_pq_consume(shelf_pq_connection *connection);
// Takes the next notification. Returns false where there is none. Channel and payload are copied to the buffers and cut to
// their sizes.
bool shelf_pq_notification(
    shelf_pq_connection *connection, char *channel, size_t channel_size, char *payload, size_t payload_size);

#endif
