/** Response headers that restrict what browsers do with a page. */
@NullMarked
package io.ballast.policy.headers;

import org.jspecify.annotations.NullMarked;
