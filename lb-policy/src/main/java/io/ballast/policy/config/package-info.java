/** The configuration of policies. */
@NullMarked
package io.ballast.policy.config;

import org.jspecify.annotations.NullMarked;
