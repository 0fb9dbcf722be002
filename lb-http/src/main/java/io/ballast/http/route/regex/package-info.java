/**
 * Regular expressions over bytes in linear time: {@link io.ballast.http.route.regex.RoutePattern}. {@link
 * io.ballast.http.route.regex.RegexStart} finds the path with which all matches start.
 */
@NullMarked
package io.ballast.http.route.regex;

import org.jspecify.annotations.NullMarked;
