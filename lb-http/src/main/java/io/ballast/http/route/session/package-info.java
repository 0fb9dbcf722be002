/** Routing of TCP and UDP sessions to pools: {@link io.ballast.http.route.session.SessionRoutes}. */
@NullMarked
package io.ballast.http.route.session;

import org.jspecify.annotations.NullMarked;
