/** Permission for pages of other origins to use responses (CORS). */
@NullMarked
package io.ballast.policy.cors;

import org.jspecify.annotations.NullMarked;
