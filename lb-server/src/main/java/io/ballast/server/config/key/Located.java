package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;

/** A value, and where it stands; for checks that need more than one value. */
public record Located<T>(T value, Node node) {}
