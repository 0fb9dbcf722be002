/**
 * What sessions of TCP and UDP have in common, which are balanced whatever is spoken in them: {@link
 * io.ballast.http.session.SessionRoutes} says which pool one goes to, {@link io.ballast.http.session.SessionReport} what is
 * counted.
 */
@NullMarked
package io.ballast.http.session;

import org.jspecify.annotations.NullMarked;
