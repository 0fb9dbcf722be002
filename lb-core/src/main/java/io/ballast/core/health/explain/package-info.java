/** Explanations of why a backend has its state and its weight. */
@NullMarked
package io.ballast.core.health.explain;

import org.jspecify.annotations.NullMarked;
