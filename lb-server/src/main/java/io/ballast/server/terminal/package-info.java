/** Interactive display in a terminal that is redrawn periodically. */
@NullMarked
package io.ballast.server.terminal;

import org.jspecify.annotations.NullMarked;
