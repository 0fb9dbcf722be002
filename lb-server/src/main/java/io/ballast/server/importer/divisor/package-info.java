/** Divisor's files, which are YAML. */
@NullMarked
package io.ballast.server.importer.divisor;

import org.jspecify.annotations.NullMarked;
