/**
 * YAML text with positions. This package reads a YAML file as a tree whose nodes have a file, line,
 * column and path, collects the problems found in it, and writes a tree as text.
 *
 * <p>Start with {@link io.ballast.config.yaml.Node}, {@link io.ballast.config.yaml.YamlReader} and {@link
 * io.ballast.config.yaml.Problems}. Scalars stay raw text: the type of the key decides whether {@code 010},
 * {@code on} or {@code 1_000} is a number or a boolean, never YAML. This package does not depend on configuration keys.
 *
 * <ul>
 *   <li>{@link io.ballast.config.yaml.Node}: a scalar, a list, a mapping, or an erroneous node that was
 *       reported
 *   <li>{@link io.ballast.config.yaml.SourcePosition}: the position of a node or a problem
 *   <li>{@link io.ballast.config.yaml.Problem}, {@link io.ballast.config.yaml.Problems}: the errors found
 *   <li>{@link io.ballast.config.yaml.YamlReader}: parses text to a tree
 *   <li>{@link io.ballast.config.yaml.Variables}: replaces {@code ${NAME}} by environment variables
 *   <li>{@link io.ballast.config.yaml.YamlWriter}: writes plain maps, lists and scalars as text
 * </ul>
 */
@NullMarked
package io.ballast.config.yaml;

import org.jspecify.annotations.NullMarked;
