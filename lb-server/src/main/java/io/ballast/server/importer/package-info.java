/**
 * Other balancers' files in our form. {@link io.ballast.server.importer.Importer} is one per grammar;
 * {@link io.ballast.server.importer.ImportReport} says what became of each directive;
 * {@link io.ballast.server.importer.ImportedConfig} is what is written.
 *
 * <p>Nothing is executed, no name is looked up, and whatever no importer speaks for is reported as without an equal.
 */
@NullMarked
package io.ballast.server.importer;

import org.jspecify.annotations.NullMarked;
