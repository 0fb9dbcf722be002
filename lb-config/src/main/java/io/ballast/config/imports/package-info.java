/**
 * Imports configuration files of other balancers. {@link io.ballast.config.imports.Importer} has one implementation
 * per format; {@link io.ballast.config.imports.ImportReport} reports the result for each directive; {@link
 * io.ballast.config.imports.ImportedConfig} is the output.
 *
 * <p>Importers execute nothing and resolve no names. Directives that no importer translates are reported as
 * untranslated.
 */
@NullMarked
package io.ballast.config.imports;

import org.jspecify.annotations.NullMarked;
