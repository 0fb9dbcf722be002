package io.ballast.http.exchange;

import io.ballast.http.route.RouteTable;
import io.ballast.http.route.session.SessionRoutes;

/**
 * The active settings of a listener. Immutable.
 *
 * @param connections the settings that each connection keeps for its lifetime
 * @param routes the routes of an HTTP listener, which are read again for each request
 * @param sessions the routes of a TCP or UDP listener
 */
public record ListenerSettings(ConnectionSettings connections, RouteTable routes, SessionRoutes sessions) {

    /** Creates settings of an HTTP listener. */
    public static ListenerSettings ofRequests(ConnectionSettings connections, RouteTable routes) {
        return new ListenerSettings(connections, routes, SessionRoutes.EMPTY);
    }

    /** Creates settings of a TCP or UDP listener. */
    public static ListenerSettings ofSessions(ConnectionSettings connections, SessionRoutes sessions) {
        return new ListenerSettings(connections, RouteTable.EMPTY, sessions);
    }
}
