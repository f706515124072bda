@_exported public import ShelflistModels
