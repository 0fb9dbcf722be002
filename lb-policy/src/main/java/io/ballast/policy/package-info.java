/** The policies of a configuration: compiles them and keeps their state across reloads. */
@NullMarked
package io.ballast.policy;

import org.jspecify.annotations.NullMarked;
