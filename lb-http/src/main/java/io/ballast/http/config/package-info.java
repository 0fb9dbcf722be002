/** The configuration records of HTTP, TCP and UDP listeners and their routes. */
@NullMarked
package io.ballast.http.config;

import org.jspecify.annotations.NullMarked;
