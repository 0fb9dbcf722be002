/** Reads the jars of filters, and loads their classes separately from the classes of Ballast. */
@NullMarked
package io.ballast.policy.filter.jar;

import org.jspecify.annotations.NullMarked;
