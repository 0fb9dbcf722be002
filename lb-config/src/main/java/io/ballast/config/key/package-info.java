/**
 * The classes that describe configuration keys. Each key is described once; its description defines how a
 * value is read, printed, checked by an editor and documented.
 *
 * <p>Start with {@link io.ballast.config.key.Type}, then {@link io.ballast.config.key.Shape} (a mapping with
 * known keys) and {@link io.ballast.config.key.ReadContext} (one run over a file). A {@code Type} never
 * throws on bad input: it reports every problem that it finds, with its location, and returns empty.
 *
 * <ul>
 *   <li>{@link io.ballast.config.key.Type} and its kinds: {@link io.ballast.config.key.ScalarType}, {@link
 *       io.ballast.config.key.ListType}, {@link io.ballast.config.key.NamedType}, {@link
 *       io.ballast.config.key.BriefType}, {@link io.ballast.config.key.Shape}
 *   <li>{@link io.ballast.config.key.Key}, {@link io.ballast.config.key.Values}: the keys of a shape, and
 *       their values in one mapping
 *   <li>{@link io.ballast.config.key.Scalars}, {@link io.ballast.config.key.Durations}, {@link
 *       io.ballast.config.key.Sizes}, {@link io.ballast.config.key.Addresses}: common types
 *   <li>{@link io.ballast.config.key.Located}: a value with its location
 *   <li>{@link io.ballast.config.key.Suggestion}: the "did you mean" hints
 * </ul>
 */
@NullMarked
package io.ballast.config.key;

import org.jspecify.annotations.NullMarked;
