@NullMarked
package io.ballast.cluster.secret;

import org.jspecify.annotations.NullMarked;
