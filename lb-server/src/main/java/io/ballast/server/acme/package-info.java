/** Connects the certificates that are ordered by ACME to the listeners, which serve them and answer challenges. */
@NullMarked
package io.ballast.server.acme;

import org.jspecify.annotations.NullMarked;
