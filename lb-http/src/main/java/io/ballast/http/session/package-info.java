/**
 * The parts shared by TCP and UDP sessions: {@link io.ballast.http.session.SessionReport} records statistics and logs.
 */
@NullMarked
package io.ballast.http.session;

import org.jspecify.annotations.NullMarked;
