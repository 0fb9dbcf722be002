/**
 * Text with a place: a YAML file as a tree whose every node knows its file, line, column and path, the problems found
 * in it, and the way back from a tree to text.
 *
 * <p>Start with {@link io.ballast.config.yaml.Node}, {@link io.ballast.config.yaml.YamlReader} and
 * {@link io.ballast.config.yaml.Problems}. Scalars stay raw text: what {@code 010}, {@code on} or {@code 1_000}
 * mean is decided by whoever asks for a number or a boolean, never by YAML. Nothing here knows a configuration key.
 *
 * <ul>
 *   <li>{@link io.ballast.config.yaml.Node}: a scalar, a list, a mapping, or what was already complained about
 *   <li>{@link io.ballast.config.yaml.Place}: where a node or a problem stands
 *   <li>{@link io.ballast.config.yaml.Problem}, {@link io.ballast.config.yaml.Problems}: what is wrong
 *   <li>{@link io.ballast.config.yaml.YamlReader}: from text to a tree
 *   <li>{@link io.ballast.config.yaml.Variables}: what {@code ${NAME}} stands for
 *   <li>{@link io.ballast.config.yaml.YamlWriter}: from plain maps, lists and scalars to text
 * </ul>
 */
@NullMarked
package io.ballast.config.yaml;

import org.jspecify.annotations.NullMarked;
