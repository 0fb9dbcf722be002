/** Text for terminals: tables, safe text, and a display that is redrawn periodically. */
@NullMarked
package io.ballast.cli.terminal;

import org.jspecify.annotations.NullMarked;
