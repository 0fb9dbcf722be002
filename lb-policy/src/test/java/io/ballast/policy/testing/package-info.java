/** Fixtures for tests of policies with both versions of HTTP. */
@NullMarked
package io.ballast.policy.testing;

import org.jspecify.annotations.NullMarked;
