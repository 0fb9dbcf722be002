/**
 * Other balancers' files in our form. {@link io.ballast.config.imports.Importer} is one per grammar;
 * {@link io.ballast.config.imports.ImportReport} says what became of each directive;
 * {@link io.ballast.config.imports.ImportedConfig} is what is written.
 *
 * <p>Nothing is executed, no name is looked up, and whatever no importer speaks for is reported as without an equal.
 */
@NullMarked
package io.ballast.config.imports;

import org.jspecify.annotations.NullMarked;
