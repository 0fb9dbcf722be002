package io.ballast.config.key;

import io.ballast.config.yaml.Node;

/** A value, and where it stands; for checks that need more than one value. */
public record Located<T>(T value, Node node) {}
