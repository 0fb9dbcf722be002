/**
 * Regular expressions over octets, in linear time: {@link io.ballast.http.route.regex.RoutePattern}. {@link
 * io.ballast.http.route.regex.RegexStart} tells with which path every match begins.
 */
@NullMarked
package io.ballast.http.route.regex;

import org.jspecify.annotations.NullMarked;
