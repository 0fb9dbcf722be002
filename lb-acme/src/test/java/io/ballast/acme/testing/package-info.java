/** Fixtures: certificates with chosen dates, and a scripted certificate authority. */
@NullMarked
package io.ballast.acme.testing;

import org.jspecify.annotations.NullMarked;
