/** The terminal in front of which somebody sits, and what is drawn on it again and again. */
@NullMarked
package io.ballast.server.terminal;

import org.jspecify.annotations.NullMarked;
