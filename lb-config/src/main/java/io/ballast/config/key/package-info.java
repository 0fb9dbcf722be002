/**
 * The language in which configuration keys are described once: how a value is read, printed, checked by an editor and
 * explained to a person.
 *
 * <p>Start with {@link io.ballast.config.key.Type}, then {@link io.ballast.config.key.Shape} (a mapping
 * with known keys) and {@link io.ballast.config.key.ReadContext} (one run over a file). A {@code Type} never throws
 * on bad input: it reports every problem that it finds, with its place, and returns nothing.
 *
 * <ul>
 *   <li>{@link io.ballast.config.key.Type} and its kinds: {@link io.ballast.config.key.ScalarType},
 *       {@link io.ballast.config.key.ListType}, {@link io.ballast.config.key.NamedType},
 *       {@link io.ballast.config.key.BriefType}, {@link io.ballast.config.key.Shape}
 *   <li>{@link io.ballast.config.key.Key}, {@link io.ballast.config.key.Values}: the keys of a shape, and
 *       what one mapping says under them
 *   <li>{@link io.ballast.config.key.Scalars}, {@link io.ballast.config.key.Durations},
 *       {@link io.ballast.config.key.Sizes}, {@link io.ballast.config.key.Addresses}: common types
 *   <li>{@link io.ballast.config.key.Located}: a value that remembers where it came from
 *   <li>{@link io.ballast.config.key.Suggestion}: "did you mean"
 * </ul>
 */
@NullMarked
package io.ballast.config.key;

import org.jspecify.annotations.NullMarked;
