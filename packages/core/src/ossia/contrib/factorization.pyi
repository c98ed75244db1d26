# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.factorization.clustering import KMeansClustering as KMeansClustering
from ossia_contrib.factorization.kmeans import (
 COSINE_DISTANCE as COSINE_DISTANCE, KMEANS_PLUS_PLUS_INIT as KMEANS_PLUS_PLUS_INIT, KMeans as KMeans,
 RANDOM_INIT as RANDOM_INIT, SQUARED_EUCLIDEAN_DISTANCE as SQUARED_EUCLIDEAN_DISTANCE
)
