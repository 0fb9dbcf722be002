/** Imports Divisor's files, which are YAML. */
@NullMarked
package io.ballast.config.imports.divisor;

import org.jspecify.annotations.NullMarked;
