// Apps import one module.
@_exported public import ShelflistClient
