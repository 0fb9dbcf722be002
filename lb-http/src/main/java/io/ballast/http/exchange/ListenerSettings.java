package io.ballast.http.exchange;

import io.ballast.http.route.RouteTable;
import io.ballast.http.route.session.SessionRoutes;

/**
 * What is in force at a listener. Immutable.
 *
 * @param connections what connections keep as long as they last
 * @param routes of requests, which hold for the next one of every connection
 * @param sessions the routes of sessions, of a listener for TCP or UDP
 */
public record ListenerSettings(ConnectionSettings connections, RouteTable routes, SessionRoutes sessions) {

    /** Those of a listener for HTTP. */
    public static ListenerSettings ofRequests(ConnectionSettings connections, RouteTable routes) {
        return new ListenerSettings(connections, routes, SessionRoutes.EMPTY);
    }

    /** Those of a listener for TCP or UDP. */
    public static ListenerSettings ofSessions(ConnectionSettings connections, SessionRoutes sessions) {
        return new ListenerSettings(connections, RouteTable.EMPTY, sessions);
    }
}
