/** The HTTP, TCP and UDP frontend: listeners, their ports, and their client connections. */
@NullMarked
package io.ballast.http;

import org.jspecify.annotations.NullMarked;
