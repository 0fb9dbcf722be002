/** The command {@code lb dns}. */
@NullMarked
package io.ballast.cli.dns;

import org.jspecify.annotations.NullMarked;
