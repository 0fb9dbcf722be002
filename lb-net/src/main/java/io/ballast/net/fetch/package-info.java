/**
 * HTTP clients that fetch control data, such as lists of backends and keys. Requests from the clients of Ballast do not
 * pass through them.
 */
@NullMarked
package io.ballast.net.fetch;

import org.jspecify.annotations.NullMarked;
