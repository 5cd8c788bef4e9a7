import Testing

/// Everything here shares one stack and so runs one after another.
@Suite(.serialized) struct EndToEndTests {}
