/** Parts of HTTP clients for control data, such as lists of backends and keys. Requests of clients do not use them. */
@NullMarked
package io.ballast.net.fetch;

import org.jspecify.annotations.NullMarked;
