/** The keys of error pages, which listeners, routes and pools have in common. */
@NullMarked
package io.ballast.config.keys.errorpage;

import org.jspecify.annotations.NullMarked;
