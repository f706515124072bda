import TestSupport
import Testing

/// Tests that read photos with the models run one at a time, because each occupies all cores.
@Suite(.serialized, .blocks, .endsHangs) enum Reading {}
