/**
 * The keys of a configuration file, each described once: the long form, and the short form with the spellings of other
 * balancers' files.
 *
 * <p>Start with {@link io.ballast.config.form.Forms}, then {@link io.ballast.config.longform.LongForm}; a
 * class named {@code …Keys} holds the keys of one mapping. The same descriptions read files, print the long form, and
 * give the JSON Schema and the reference, so none of these can say something else than the others.
 *
 * <ul>
 *   <li>{@link io.ballast.config.form.Forms}: which form a file is in
 *   <li>{@link io.ballast.config.longform.LongForm}, {@link io.ballast.config.shorthand.ShortForm}: their keys
 * </ul>
 */
@NullMarked
package io.ballast.config.form;

import org.jspecify.annotations.NullMarked;
