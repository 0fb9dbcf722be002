/**
 * Compiled header rules. {@link io.ballast.http.header.RouteHeaderEdits} are the edits of a route for
 * requests and responses. {@link io.ballast.http.header.CompiledHeaderChanges} are the edits of one
 * direction. {@link io.ballast.http.header.HeaderVariables} supplies the values of variables.
 *
 * <p>All rules are compiled with the routing table; a request causes no lookup by name and no allocation.
 */
@NullMarked
package io.ballast.http.header;

import org.jspecify.annotations.NullMarked;
