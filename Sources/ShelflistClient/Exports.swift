// What the server sends is part of the client's API.
@_exported public import Bibliography
@_exported public import ShelflistAPI
