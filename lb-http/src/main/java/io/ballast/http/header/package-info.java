/**
 * Header rules, compiled: {@link io.ballast.http.header.HeadEdits} is what a route does to the heads of its requests and
 * responses, {@link io.ballast.http.header.HeaderEdits} one direction of it, {@link
 * io.ballast.http.header.HeaderVariables} where the values of variables come from.
 *
 * <p>All of it is compiled with the routing table; for a request nothing is looked up by name and nothing is allocated.
 */
@NullMarked
package io.ballast.http.header;

import org.jspecify.annotations.NullMarked;
