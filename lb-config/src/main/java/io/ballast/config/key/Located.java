package io.ballast.config.key;

import io.ballast.config.yaml.Node;

/** A value with its location in the file, for checks that involve several values. */
public record Located<T>(T value, Node node) {}
