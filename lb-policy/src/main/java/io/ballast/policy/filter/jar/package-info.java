/** Reads the jars of filters, and loads their classes apart from those of Ballast. */
@NullMarked
package io.ballast.policy.filter.jar;

import org.jspecify.annotations.NullMarked;
