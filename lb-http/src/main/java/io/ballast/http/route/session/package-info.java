/** Which pool a session of TCP or UDP goes to: {@link io.ballast.http.route.session.SessionRoutes}. */
@NullMarked
package io.ballast.http.route.session;

import org.jspecify.annotations.NullMarked;
