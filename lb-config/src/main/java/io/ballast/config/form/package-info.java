/**
 * The keys of a configuration file, each described once. A file is in long form or in short form; the short
 * form also accepts the spellings of other balancers' files.
 *
 * <p>Start with {@link io.ballast.config.form.Forms}, then {@link io.ballast.config.longform.LongForm}; a
 * class named {@code …Keys} holds the keys of one mapping. The same descriptions read files, print the long
 * form, and generate the JSON Schema and the reference, so these cannot contradict each other.
 *
 * <ul>
 *   <li>{@link io.ballast.config.form.Forms}: detects the form of a file
 *   <li>{@link io.ballast.config.longform.LongForm}, {@link io.ballast.config.shorthand.ShortForm}: the keys
 *       of each form
 * </ul>
 */
@NullMarked
package io.ballast.config.form;

import org.jspecify.annotations.NullMarked;
